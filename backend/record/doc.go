// Package record knows the decision record: what was decided in a session, by whom, when and
// about what, as a chain in which every entry holds the hash of the one before. It makes
// entries and checks chains; where they are kept is the business of the store. It is pure.
//
// An entry is for eyes: texts in it are copies without secrets, so that it can be given away
// as it is kept. Its hash is over the bytes of its canonical JSON, which are kept and given
// away unchanged, so that any program that knows SHA-256 can check them and no later version
// of this one can read them otherwise.
//
// What a person was shown is a hash too: that of the card, the request as the veil lets it
// through with its arguments and with what it counts as hidden. The card is made when it is
// stored and kept as it is, because redaction may be better one day, and a card that is made
// again would then be another than the one that was seen. This costs a second copy of each
// card. What a card says of its caller, its age and the tool's description is not in it: those
// belong to the session and the program, and change while it waits.
//
// There is no key. Whoever can write a whole record can also make one whose chain holds, and
// whoever can cut its end off can write a new closing line. That shows only beside a hash that
// was kept elsewhere, or beside the store that the record came from.
package record
