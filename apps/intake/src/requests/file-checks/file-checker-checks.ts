import type { CheckGroup } from '@rubrica/wiring/doctor';
import { findIsolation } from './checker/isolation.ts';
import { parseCheckerAddress } from './remote/checker-address.ts';
import { probeRemoteChecker } from './remote/remote-checker.ts';

interface FileCheckerSettings {
  readonly checkerAddress?: string | undefined;
  readonly checkerTlsDirectory?: string | undefined;
}

/**
 * Returns checks of the doctor: the file checker answers, or this machine isolates the processes that intake
 * starts.
 */
export function fileCheckerChecks({ checkerAddress, checkerTlsDirectory }: FileCheckerSettings): CheckGroup {
  const address = parseCheckerAddress(checkerAddress ?? '');
  if (address === undefined)
    return [
      {
        name: 'file checker',
        async look() {
          const isolation = await findIsolation();
          if (isolation === 'none') throw new Error('files are checked without network isolation');
          return `intake starts it, isolated by ${isolation}`;
        },
        remedy:
          'Run the file checker for itself (deploy/README.md, "File checker") and set FILE_CHECKER_ADDRESS, or install bubblewrap or util-linux and allow user namespaces.',
      },
    ];
  return [
    {
      name: 'file checker',
      async look() {
        await probeRemoteChecker({ address, tlsDirectory: checkerTlsDirectory });
        return `answers at ${checkerAddress}`;
      },
      remedy:
        'Look whether the file checker (node main.mjs file-checker) runs, at FILE_CHECKER_ADDRESS and FILE_CHECKER_TLS_DIRECTORY of both. Requests with files wait until it answers.',
    },
  ];
}
