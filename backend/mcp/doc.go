// Package mcp is the door through which agents of other programs call tools: an MCP
// server over one client's stream, the socket through which such a stream reaches the
// running desk, and the relay behind `countersign mcp` that joins the two.
//
// It decides nothing. A call goes into a Session as it was sent, byte for byte, and
// comes back as an Outcome; what may run, who is asked and what is stored is the
// engine's. Nothing that arrives here can answer a card or change a setting.
//
// The official SDK speaks the protocol, both the one with a handshake and the one
// where each request stands alone. Three things are done in front of it, since it would
// end the session, lose bytes or repeat foreign text otherwise: lines are read and
// their frames checked here (a line that is not JSON, is too long or names a key twice
// is answered and the next one read), arguments travel past it unparsed, and its error
// texts are replaced by fixed sentences.
//
// A batch is refused. The protocol had it in one version and took it back in the next,
// and none of the clients that were tried sends one.
package mcp
