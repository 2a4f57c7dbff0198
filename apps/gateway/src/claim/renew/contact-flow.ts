import type { RenewalContact } from '@rubrica/contracts/services/schemas/claims';
import { AppError } from '@rubrica/process';
import { type LinkFlowDeps, sealToken } from '../link-flow.ts';

/** Finds the contact for a reminder's link; undefined for an unknown link. */
export type ContactFlow = (token: string) => Promise<RenewalContact | undefined>;

export function createContactFlow({ peers, keyring }: Pick<LinkFlowDeps, 'peers' | 'keyring'>): ContactFlow {
  return async (token) => {
    try {
      return await peers.intake['renewals.contact'](await sealToken(keyring, token));
    } catch (error) {
      if (error instanceof AppError && error.code === 'CLAIM_LINK_INVALID') return undefined;
      throw error;
    }
  };
}
