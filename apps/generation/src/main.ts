// Imported first: the thread pool reads its size from the environment at first use.
import './key-pool/thread-pool.ts';
import { serviceProgram } from '@rubrica/process/program';
import { databaseCommands } from '@rubrica/wiring/commands';

await serviceProgram('generation', {
  serve: { about: 'runs the service', load: () => import('./serve.ts') },
  provision: {
    about: 'brings schema, streams and the built-in authority up to date',
    load: () => import('./provision.ts'),
  },
  doctor: {
    about: 'checks whether the service can work here, and changes nothing',
    load: () => import('./doctor.ts'),
  },
  ...databaseCommands(() => import('./store/schema.ts')),
  ca: { about: 'creates, shows, rotates and exports the authority', load: () => import('./ca/main.ts') },
  'revoke-forgotten': {
    about: 'revokes certificates that a restored database does not know',
    load: () => import('./revocation/forgotten/main.ts'),
  },
});
