import type { EvidenceStore } from './evidence-store.ts';
import { openS3 } from './open-stores.ts';
import type { EvidenceStoreSettings } from './settings.ts';

/** What a doctor says of S3; nothing without settings for it. The bucket of NATS is among the streams. */
export function evidenceStoreChecks(settings: EvidenceStoreSettings) {
  if (settings.s3.bucket === undefined) return [];
  const { bucket, endpoint = 'AWS' } = settings.s3;
  return [
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
