import type { EvidenceStore, ObjectLockMode } from './evidence-store.ts';
import { openS3 } from './open-stores.ts';
import type { EvidenceStoreSettings } from './settings.ts';

/** Lists the doctor's checks of S3; none without settings for it. The bucket of NATS is checked as a stream. */
export function evidenceStoreChecks(settings: EvidenceStoreSettings, objectLock: ObjectLockMode = 'none') {
  if (settings.s3.bucket === undefined) return [];
  const { bucket, endpoint = 'AWS' } = settings.s3;
  const locked = {
    name: 'evidence object lock',
    async look(): Promise<string> {
      const store = (await openS3(settings, objectLock)) as EvidenceStore;
      if (!(await store.locks?.isReady())) throw new Error(`bucket ${bucket} was made without object lock`);
      return `bucket ${bucket} can lock objects; dates are set in the mode ${objectLock}`;
    },
    remedy:
      'Make a bucket with object lock (deploy/s3, "Object lock"): one that was made without cannot get it everywhere. Nothing goes into kept/ meanwhile. Or set EVIDENCE_OBJECT_LOCK=none.',
  };
  return [
    ...(objectLock === 'none' ? [] : [locked]),
    {
      name: 'evidence store',
      async look(): Promise<string> {
        const store = (await openS3(settings)) as EvidenceStore;
        await store.probe();
        return `bucket ${bucket} answers at ${endpoint}; new evidence goes to ${settings.store}`;
      },
      remedy:
        'Look whether the store runs where EVIDENCE_S3_ENDPOINT says, at EVIDENCE_S3_BUCKET and EVIDENCE_S3_CA_FILE, at the credentials that the AWS SDK finds, and at the bucket policy (deploy/s3). The service works on without it: large evidence is answered 503.',
    },
  ];
}
