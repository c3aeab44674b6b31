"""Tests of opkg/verify and its reports."""
