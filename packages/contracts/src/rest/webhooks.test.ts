import { expect, test } from 'vitest';
import { webhookBodies, webhookEvents, webhookEventTypes } from './webhooks.ts';

test.each(webhookEventTypes)('the example of %s is taken as this event and as no other', (type) => {
  const { namesRequest, example } = webhookEvents[type];
  const body = {
    ...(namesRequest && { linkedPartnerRequestId: '0197a3c2-5b1e-7c44-9d0a-3f6e2b8c1d70' }),
    referenceTransaction: 'TV-2026-000001',
    ...example,
  };
  expect(webhookEventTypes.filter((one) => webhookBodies[one].safeParse(body).success)).toEqual([type]);
});
