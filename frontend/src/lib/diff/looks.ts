/** How a line of each kind looks: its class, its sign, and what is read aloud for that. */
export const looks = { same: '', add: 'a', del: 'd' } as const;
export const signs = { same: '', add: '+', del: '−' } as const;
export const spoken = { same: '', add: 'added', del: 'removed' } as const;
