import type { MessageTemplate } from '@rubrica/contracts/services/schemas/applicant-messages';
import type { Lane } from '../send-queue/ledger.ts';

/** Replaces the partner of messages without one: messages to operators, and those that the previous release stored. */
export const noPartner = '00000000-0000-0000-0000-000000000000';

/** Names the lane of a message: one per partner and template. `leaseDue` of the store builds the same name in SQL. */
export function toLane(partnerId: string | undefined, template: MessageTemplate): Required<Lane> {
  const owner = partnerId ?? noPartner;
  return { destination: `${owner} ${template}`, partnerId: owner };
}
