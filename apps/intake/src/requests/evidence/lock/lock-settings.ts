import { objectLockModes } from '@rubrica/evidence-store';
import { setting } from '@rubrica/process/config';
import { z } from 'zod';

export const lockSettings = z.object({
  mode: setting(z.enum(objectLockModes).default('none'), {
    env: 'EVIDENCE_OBJECT_LOCK',
    about:
      'how firmly S3 keeps evidence from being removed before its retention ends: `compliance` (by nobody), `governance` (but for who has that right), or `none`; needs `EVIDENCE_STORE=s3`',
  }),
});

interface LockChoice {
  readonly store: string | undefined;
  readonly mode: string | undefined;
}

/** Returns why the two settings conflict; undefined if they do not. */
export function findObjectLockFault({ store, mode }: LockChoice): string | undefined {
  if (mode === undefined || mode === 'none' || store === 's3') return undefined;
  return 'needs EVIDENCE_STORE=s3: no other store locks objects';
}
