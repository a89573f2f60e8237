// Builds the staged page before all journeys, so that no two of them build it at once.
import { buildStage } from './built.mjs';

await buildStage();
