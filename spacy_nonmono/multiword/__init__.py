"""The component `multiword_tokens`: the words that tokens such as French "du" stand for."""
