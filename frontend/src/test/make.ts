// Data as the desk tells it, made up for tests and for pictures, each with what a test says of it.
export * from './make/desk';
export * from './make/approval';
export * from './make/call';
export * from './make/tools';
export * from './make/settings';
export * from './make/connect';
