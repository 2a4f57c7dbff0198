import type { MessageTemplate } from '@rubrica/contracts/services/schemas/applicant-messages';
import type { LaneKey } from '../send-queue/ledger.ts';

/** Replaces the partner of messages without one: messages to operators, and those that the previous release stored. */
export const noPartnerId = '00000000-0000-0000-0000-000000000000';

/** Names the lane of a message: one per partner and template. `leaseDue` of the store builds the same name in SQL. */
export function toLane(partnerId: string | undefined, template: MessageTemplate): Required<LaneKey> {
  const owner = partnerId ?? noPartnerId;
  return { destination: `${owner} ${template}`, partnerId: owner };
}
