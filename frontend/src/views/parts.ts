import type { Inbox } from '../lib/approval/inbox.svelte';
import type { Catalog } from '../lib/catalog/catalog.svelte';
import type { Connect } from '../lib/connect/connect.svelte';
import type { History } from '../lib/history/history.svelte';
import type { Story } from '../lib/history/story.svelte';
import type { Processes } from '../lib/processes/processes.svelte';
import type { Sessions } from '../lib/session/sessions.svelte';
import type { Settings } from '../lib/settings/settings.svelte';

/** What the views are of. */
export interface Parts {
  inbox: Inbox;
  sessions: Sessions;
  catalog: Catalog;
  processes: Processes;
  history: History;
  story: Story;
  connect: Connect;
  settings: Settings;
}
