"""What `opkg kernel show` says."""
