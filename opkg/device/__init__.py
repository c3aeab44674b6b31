"""What a device demands of a library: the form of ELF files, the names a DSP exports, the record that firmware asks for."""
