/** What the overview asks whatever day it is. */
export const looked = 100;

export const overviewQuestions = {
  keys: ['listApiKeys', { limit: looked }],
  webhooks: ['listWebhooks', { limit: looked }],
  unanswered: ['listReviews', { replied: 'false', limit: looked }],
} as const;
