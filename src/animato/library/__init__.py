"""The characters and clips that come with animato: YAML files in `characters`, CSV files in `clips`.

They are data, not code: copy one and change it to make your own.
"""
