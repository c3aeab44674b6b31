"""Moved to opkg/resources.py."""

from opkg.resources import data_folder, plain, render, sim_header

__all__ = ["data_folder", "plain", "render", "sim_header"]
