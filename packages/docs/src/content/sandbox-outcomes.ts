import type { sandboxPeople } from '@rubrica/contracts/rest/sandbox-people';
import type { Language } from '../language.ts';

type Person = Exclude<keyof typeof sandboxPeople, 'passes'>;

/** Outcome of the requests of each sandbox person, as Markdown. */
export const sandboxOutcomes: Readonly<Record<Person, Readonly<Record<Language, string>>>> = {
  needsVideo: { en: 'born on 1950-01-01: needs the video', es: 'nació el 1950-01-01: necesita el video' },
  turns65Today: { en: 'turns 65 today', es: 'cumple 65 hoy' },
  turns65Tomorrow: { en: 'turns 65 tomorrow', es: 'cumple 65 mañana' },
  underage: { en: 'aged 17: `APPLICANT_UNDERAGE`', es: '17 años: `APPLICANT_UNDERAGE`' },
  deceased: { en: 'deceased: `APPLICANT_DECEASED`', es: 'fallecido: `APPLICANT_DECEASED`' },
  notFound: { en: '`IDENTIFICATION_NOT_FOUND`', es: '`IDENTIFICATION_NOT_FOUND`' },
  fingerCodeMismatch: {
    en: '`FINGER_CODE_MISMATCH`, unless the code is `V4333V2222`',
    es: '`FINGER_CODE_MISMATCH`, salvo con el código `V4333V2222`',
  },
  nameMismatch: { en: '`NAME_MISMATCH`', es: '`NAME_MISMATCH`' },
  registryDown: {
    en: 'the registry is always down: `EXTERNAL_SERVICE_UNAVAILABLE`',
    es: 'el registro nunca responde: `EXTERNAL_SERVICE_UNAVAILABLE`',
  },
  registryDownOnce: {
    en: 'the registry is down at the first look-up',
    es: 'el registro no responde la primera vez',
  },
  generationFails: {
    en: 'generation always fails: `KEY_GENERATION_FAILED`',
    es: 'la generación siempre falla: `KEY_GENERATION_FAILED`',
  },
  generationFailsOnce: { en: 'generation fails once', es: 'la generación falla una vez' },
  generationFailsTwice: { en: 'generation fails twice', es: 'la generación falla dos veces' },
  generationFailsThreeTimes: { en: 'generation fails three times', es: 'la generación falla tres veces' },
  needsReview: { en: 'needs a reviewer', es: 'necesita un revisor' },
  livenessFails: {
    en: 'the proof of life fails: `LIVENESS_FAILED`',
    es: 'falla la prueba de vida: `LIVENESS_FAILED`',
  },
  selfieMismatch: {
    en: 'the selfie does not match: `SELFIE_MISMATCH`, in the API flow at the liveness check',
    es: 'la selfie no coincide: `SELFIE_MISMATCH`, en el flujo por API al consultar la prueba de vida',
  },
  slowRegistry: { en: 'every look-up takes 5 seconds', es: 'cada consulta tarda 5 segundos' },
};
