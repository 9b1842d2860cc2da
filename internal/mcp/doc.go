// Package mcp speaks the Model Context Protocol, on either side: a [Host] serves
// stand-ins for systems to whatever agent is told their addresses, and a [Client]
// gives the built-in agent the tools and resources of servers.
//
// Neither side knows of the other. What a client makes of an answer holds for any
// server, and what a host serves is no different for an agent that is not ours.
package mcp
