import type { MessageTemplate } from '@rubrica/contracts/services/schemas/applicant-messages';
import type { Lane } from '../send-queue/ledger.ts';

/** Stands for the partner of messages without one: those to operators, and those that the release before has stored. */
export const noPartner = '00000000-0000-0000-0000-000000000000';

/** Lane of a message: one per partner and template. `leaseDue` of the store writes it the same way in SQL. */
export function toLane(partnerId: string | undefined, template: MessageTemplate): Required<Lane> {
  const owner = partnerId ?? noPartner;
  return { destination: `${owner} ${template}`, partnerId: owner };
}
