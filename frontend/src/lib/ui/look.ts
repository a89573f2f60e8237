/** The looks that a state can have: each is a sign and a colour. */
export type Look = 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled' | 'uncertain';
