import { serviceProgram } from '@rubrica/process/program';
import { databaseCommands } from '@rubrica/wiring/commands';

await serviceProgram('notifier', {
  serve: { about: 'runs the service', load: () => import('./serve.ts') },
  provision: {
    about: 'brings schema, streams and consumers up to date',
    load: () => import('./provision.ts'),
  },
  doctor: {
    about: 'checks whether the service can work here, and changes nothing',
    load: () => import('./doctor.ts'),
  },
  ...databaseCommands(() => import('./store/schema.ts')),
});
