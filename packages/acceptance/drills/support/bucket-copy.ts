import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { MissingPiece } from '@rubrica/testkit/processes';

const run = promisify(execFile);
const script = resolve(import.meta.dirname, '../../../../deploy/backup/bring-back-evidence.sh');

export interface StoreAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/**
 * Runs the commands of deploy/backup/README.md as the owner of the buckets.
 * @throws MissingPiece if aws or jq is not installed
 */
export function bucketCommands({ endpoint, region, credentials }: StoreAccess) {
  const options = {
    env: {
      ...process.env,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_DEFAULT_REGION: region,
      AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    maxBuffer: 64 * 1024 * 1024,
  };
  const atStore = ['--endpoint-url', endpoint];
  return {
    async assertInstalled(): Promise<void> {
      await Promise.all([run('aws', ['--version']), run('jq', ['--version'])]).catch(() => {
        throw new MissingPiece(
          'aws or jq is not installed.',
          'Install them with: apt-get install -y awscli jq',
        );
      });
    },
    /**
     * Runs `aws s3 sync`.
     * @param more further options such as `--delete`
     */
    async copy(from: string, to: string, ...more: readonly string[]): Promise<void> {
      const args = ['s3', 'sync', `s3://${from}`, `s3://${to}`, '--size-only', '--only-show-errors', ...more];
      await run('aws', [...args, ...atStore], options);
    },
    /**
     * Restores removed objects.
     * @returns their number
     */
    async bringBack(bucket: string, since: Date): Promise<number> {
      const args = [script, bucket, since.toISOString().slice(0, 19), ...atStore];
      const { stdout } = await run('sh', args, options);
      return Number(/^(\d+) objects are there again$/m.exec(stdout)?.[1]);
    },
  };
}
