// Colours texts off the main thread. It draws nothing: what it tells are places in a text.
import { type Ask, Jobs } from './jobs';

const jobs = new Jobs((told) => postMessage(told));
addEventListener('message', (event: MessageEvent<Ask>) => jobs.take(event.data));
