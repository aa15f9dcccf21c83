"""Drop-ins for other libraries: change the import, keep the calls."""
