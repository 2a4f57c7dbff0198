import { webhookEnvelopesByFamily } from '@rubrica/contracts/rest/webhooks';
import { verifyWebhook } from '@rubrica/sdk';
import { type Delivery, disposeAfterAll, startPartner } from '@rubrica/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { operatorActor } from './support/operator-actor.ts';
import { until } from './support/poll.ts';
import { joinScene } from './support/scene.ts';

const scene = await disposeAfterAll(joinScene());
const { baseUrl, partners } = scene.stack.info();
const partner = await disposeAfterAll(startPartner({ baseUrl, partner: partners.other }));
const admin = await operatorActor(scene.stack.info(), 'admin');
const { items } = await admin.call('partners.list', { limit: 100 });
const { id } = items.find(({ clientId }) => clientId === partners.other.clientId) ?? { id: '' };
const switchEnvelope: (envelope: boolean) => Promise<void> = async (envelope) => {
  const answer = await admin.call('partners.update', { id, envelope });
  expect(answer).toMatchObject({ envelope });
  expect(answer).not.toHaveProperty('approvalId');
};

afterAll(() => switchEnvelope?.(false));

const nobody = '2450000605';

/** Registers what fails, and gives the calls that tell of it, once there are as many. */
async function toldOfFailure(count: number, meanwhile?: () => Promise<void>): Promise<Delivery[]> {
  const { sent } = await partner.register({ identificationNumber: nobody });
  const calls = () => partner.deliveriesOf(sent.referenceTransaction);
  await partner.event(sent.referenceTransaction);
  await meanwhile?.();
  return until('the calls', () => (calls().length >= count ? calls() : undefined), { seen: calls });
}

describe('a partner whose setting `envelope` is switched on by one administrator', () => {
  it('gets type, time and code in what is signed, and the same body at each attempt, whatever the setting is then', async () => {
    await switchEnvelope(true);
    partner.receiver.script({ status: 500 });
    const [first, second] = await toldOfFailure(2, () => switchEnvelope(false));
    if (first === undefined || second === undefined) throw new Error('there are two');
    expect([second.id, second.raw]).toEqual([first.id, first.raw]);
    const whole = webhookEnvelopesByFamily.TV['request.error'].parse(first.body);
    expect(whole).toMatchObject({
      type: first.type,
      id: first.id,
      occurredAt: first.headers['x-rubrica-occurred-at'],
      data: { code: 'IDENTIFICATION_NOT_FOUND' },
    });
    const { webhookSecret } = scene.stack.info().partners.other;
    const { raw: payload, headers } = second;
    expect(await verifyWebhook({ payload, headers, secrets: [webhookSecret] })).toMatchObject({
      type: 'request.error',
      code: 'IDENTIFICATION_NOT_FOUND',
      occurredAt: whole.occurredAt,
    });
  });

  it('gets what the specification has once it is switched off', async () => {
    await switchEnvelope(false);
    const [told] = await toldOfFailure(1);
    expect(Object.keys(told?.body ?? {})).toEqual([
      'linkedPartnerRequestId',
      'referenceTransaction',
      'message',
    ]);
  });
});
