"""What a person looks at: pictures, films and a player in the browser."""
