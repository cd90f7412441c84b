/** How each state of a key looks. */
export const keyTones = { active: 'good', revoked: 'bad', expired: 'none' } as const;
