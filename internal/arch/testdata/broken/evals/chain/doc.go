package chain

const turns = 2
