import { serviceProgram } from '@rubrica/process/program';
import { databaseCommands } from '@rubrica/wiring/commands';

await serviceProgram('terms', {
  serve: { about: 'runs the service', load: () => import('./serve.ts') },
  provision: {
    about: 'brings the schema up to date and inserts first terms',
    load: () => import('./provision.ts'),
  },
  doctor: {
    about: 'checks whether the service can work here, and changes nothing',
    load: () => import('./doctor.ts'),
  },
  ...databaseCommands(() => import('./store/schema.ts')),
});
