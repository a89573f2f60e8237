// Command bindings writes the TypeScript types of everything that crosses to the
// page. It reads app/bridge/dto*.go as source, so that names, field names and
// comments have one home. With -check it writes nothing and fails when the file
// on disk is not what it would write.
package main
