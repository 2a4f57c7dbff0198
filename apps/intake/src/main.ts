// First of all: the thread pool takes its size from the environment when it is first used.
import './base/thread-pool.ts';
import { serviceProgram } from '@rubrica/process/program';
import { databaseCommands } from '@rubrica/wiring/commands';

await serviceProgram('intake', {
  serve: { about: 'runs the service', load: () => import('./commands/serve.ts') },
  provision: {
    about: 'brings schema and streams up to date and inserts first rows',
    load: () => import('./commands/provision.ts'),
  },
  doctor: {
    about: 'checks whether the service can work here, and changes nothing',
    load: () => import('./commands/doctor.ts'),
  },
  ...databaseCommands(() => import('./entities.ts')),
  evidence: {
    about: 'moves evidence to another store, or checks it',
    load: () => import('./commands/evidence.ts'),
  },
  'break-glass': {
    about: 'prints a link for an emergency session of an administrator',
    load: () => import('./commands/break-glass.ts'),
  },
  'file-checker': {
    about: 'runs the process that decodes files of applicants',
    load: () => import('./commands/file-checker.ts'),
  },
});
