import { serviceProgram } from '@rubrica/process/program';

await serviceProgram('gateway', {
  serve: { about: 'runs the service', load: () => import('./serve.ts') },
  doctor: {
    about: 'checks whether the service can work here, and changes nothing',
    load: () => import('./doctor.ts'),
  },
});
