/** The tone of the badge of each status. */
export const keyTones = { active: 'good', revoked: 'bad', expired: 'none' } as const;
