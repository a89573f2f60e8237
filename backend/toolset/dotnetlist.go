package toolset

import (
	"context"

	"countersign/backend/bound"
	"countersign/backend/running"
	"countersign/backend/tool"
	"countersign/backend/toolset/manifest"
)

// List asks the assembly of a dotnet set for its tools. Constructors of the set run for that, in a
// process of their own. Notes tell which types are left out. The error is a *manifest.Refusal, or
// that of ctx.
func (d *Dotnet) List(ctx context.Context, programs tool.Programs, e Entry) ([]manifest.Described, []manifest.Note, error) {
	file, err := e.assembly()
	if err != nil {
		return nil, nil, assemblyNote("is not a plain file in the directory of the set", "Put it there.")
	}
	r := d.request(file, question{Do: "list", Types: e.Set.Types})
	r.Dir, r.Limit, r.Log = e.Path, d.ListLimit, running.Log(ctx, nil, "")
	ran, err := programs.RunProgram(ctx, r)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, assemblyNote("cannot be loaded, since its host program could not be started", "Install the runtime again, and reload.")
	}
	answer := replyOf(&ran.Out)
	switch {
	case ran.Stop == tool.StopLimit:
		return nil, nil, assemblyNote("did not list its tools within "+running.Limit(d.ListLimit), "Let its constructors do less.")
	case !ran.Out.Whole():
		return nil, nil, assemblyNote("says more of its tools than "+bound.Size(int64(d.MaxAnswer)), "Let it say less.")
	case answer == nil:
		return nil, nil, assemblyNote("ended its process before it had listed its tools", "Let its constructors return.")
	case answer.Error != nil:
		return nil, nil, refused(answer.Error.Kind, answer.Error.Detail)
	}
	var notes []manifest.Note
	for _, o := range answer.Omitted {
		notes = append(notes, assemblyNote("has a tool that cannot be made, so it is left out: "+manifest.Quoted(o.Type)+" says "+manifest.Quoted(o.Reason), "Mend its constructor or its definition.").Note)
	}
	described := make([]manifest.Described, 0, len(answer.Tools))
	for _, t := range answer.Tools {
		described = append(described, manifest.Described(t))
	}
	return described, notes, nil
}

// refused is why the host program lists no tools.
func refused(kind, detail string) *manifest.Refusal {
	switch kind {
	case kindDependency:
		return assemblyNote("needs "+manifest.Quoted(detail)+", which is neither in the directory of the set nor part of the runtime", "Put it there, or build the assembly for the runtime of this machine.")
	case kindType:
		return &manifest.Refusal{Note: manifest.Note{Field: "types", Text: manifest.FileName + `: "types" names ` + manifest.Quoted(detail) + ", which is no public tool of the assembly. Correct the name."}}
	}
	return assemblyNote("cannot be loaded: "+manifest.Quoted(detail), "Build it again for the runtime of this machine.")
}

func assemblyNote(words, remedy string) *manifest.Refusal {
	return &manifest.Refusal{Note: manifest.Note{Field: "assembly", Text: manifest.FileName + `: "assembly" ` + words + ". " + remedy}}
}
