"""The laboratory: what compares transition systems and looks into them. Nothing else imports it.

Nothing is imported here, because spaCy imports `lab.commands` on each call of its command line.
"""
