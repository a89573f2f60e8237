package bridge

// PageFault is something that went wrong in the page itself.
type PageFault struct {
	// Where names the part of the page, such as a view.
	Where string `json:"where"`
	// Message and Stack are the browser's, and may hold text of agents and tools.
	Message string `json:"message"`
	Stack   string `json:"stack"`
}
