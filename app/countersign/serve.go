package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"countersign/app/desk"
	"countersign/app/serve"
	"countersign/backend/host/clock"
	"countersign/frontend"
)

func (p *program) serveCommand() *cobra.Command {
	var listen, model string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Be the desk: serve the page to a browser, and take agents that come through mcp",
		Long: "Be the desk of this home: serve the page over loopback and print a link that works once.\n" +
			"Agents that start countersign mcp join it, and their calls are decided on the page.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			// Whoever starts this desk gets the link to it, and with that the answers.
			if err := p.mayLoosen("countersign serve"); err != nil {
				return err
			}
			return p.serve(c.Context(), listen, model)
		},
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "HOST:PORT to listen on; port 0 takes a free one")
	c.Flags().StringVar(&model, "model", "", "the built-in agent's model: scripted:FILE plays a task file")
	return c
}

func (p *program) serve(ctx context.Context, listen, model string) (err error) {
	address, err := serve.ParseAddress(listen)
	if err != nil {
		return refusal(desk.Sentence(err))
	}
	d, err := desk.Open(ctx, p.places.desk(), desk.Opening{Name: "serve", Model: model, Notice: p.notice})
	if err != nil {
		return unstarted(err)
	}
	defer func() { err = errors.Join(err, closing(d.Close())) }()
	listener, err := address.Listen(ctx)
	if err != nil {
		d.Log.Error("listen", "cause", err)
		return refusal("The address cannot be listened on: it is taken, or not one of this machine. Give another with --listen.")
	}
	if w := address.Warning(); w != "" {
		fmt.Fprintln(p.stderr, w)
	}
	server, err := serve.New(serve.Config{
		API: d.API, Source: d, Assets: frontend.Assets(), Random: clock.Random(), Say: p.say(), Log: d.Log,
	}, address, listener)
	if err != nil {
		return errors.Join(refusal(desk.Sentence(err)), listener.Close())
	}
	front := func() string {
		server.Renew()
		return "The desk of this home is countersign serve. A new link to it stands in the terminal where it runs."
	}
	if err := d.Welcome(front); err != nil {
		return errors.Join(unstarted(err), listener.Close())
	}
	link, err := server.Link()
	if err != nil {
		return errors.Join(refusal(desk.Sentence(err)), listener.Close())
	}
	fmt.Fprintln(p.stdout, "Countersign is ready: "+link)
	return server.Serve(ctx, listener)
}

// say prints a line on the terminal, one at a time.
func (p *program) say() func(string) {
	var mu sync.Mutex
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(p.stdout, line)
	}
}
