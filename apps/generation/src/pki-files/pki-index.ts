import type { UseCase } from '@rubrica/wiring';
import type { Issuers } from '../issuers/issuer.ts';

export interface PkiIndexDeps {
  /** As they are now: authorities are added while the service runs. */
  readonly issuers: Pick<Issuers, 'active' | 'published'>;
}

/** Names of the authority that signs now and of the root above it. */
export function createPkiIndex({ issuers }: PkiIndexDeps): UseCase<'generation', 'pki.index'> {
  return () => {
    const { active, published } = issuers;
    const top = active.chain.at(-1) ?? new Uint8Array();
    const root = published.find(({ certificate }) => Buffer.compare(certificate, top) === 0);
    if (root === undefined) throw new Error('the root of the active authority is not published');
    return { root: root.name, issuing: active.name };
  };
}
