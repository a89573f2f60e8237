/** How a line of each kind looks: its class, its sign, and what is read aloud for that. */
export const looks = { same: '', add: 'a', del: 'd' } as const;
export const signs = { same: '', add: '+', del: '−' } as const;
export const spoken = { same: '', add: 'added', del: 'removed' } as const;
/** What is read aloud where the change is left out. */
export const spokenLeft = { same: '', add: 'not added', del: 'not removed' } as const;
