/** Names with realistic frequency: each of the first has some hundredths of all people, the last are rare. */
const given = [
  ...[
    'María José',
    'Luis Alberto',
    'Ana María',
    'José Luis',
    'Carlos Andrés',
    'Juan Carlos',
    'Rosa Elena',
    'Gabriela',
  ],
  ...[
    'Diego Fernando',
    'Jorge Enrique',
    'Verónica',
    'Mónica Patricia',
    'Ángel',
    'Néstor',
    'Byron',
    'Carmen',
    'Daniela',
  ],
  ...[
    'Edison',
    'Fausto',
    'Gladys',
    'Holger',
    'Inés',
    'Julio César',
    'Karina',
    'Lorena',
    'Marco',
    'Narcisa',
    'Oswaldo',
  ],
  ...[
    'Paola',
    'Ramiro',
    'Silvia',
    'Tatiana',
    'Ulbio',
    'Víctor Hugo',
    'Washington',
    'Ximena',
    'Yolanda',
    'Zoila',
  ],
];
const frequent = [
  'Zambrano',
  'Sánchez',
  'García',
  'Rodríguez',
  'Vera',
  'Ñúñez',
  'Cedeño',
  'López',
  'Mendoza',
  'Torres',
];
const starts = [
  'Al',
  'Ba',
  'Cas',
  'Del',
  'Es',
  'Fuen',
  'Gua',
  'Her',
  'Ibar',
  'Jara',
  'Lla',
  'Mon',
  'Nar',
  'Pe',
  'Quis',
];
const ends = [
  'bán',
  'carde',
  'doza',
  'feal',
  'guero',
  'llón',
  'mán',
  'nal',
  'ñafiel',
  'po',
  'ral',
  'salla',
  'tillo',
  'vara',
];
const surnames = [...frequent, ...ends.flatMap((end) => starts.map((start) => `${start}${end}`)), 'Xolalpa'];

function toSqlArray(values: readonly string[]): string {
  return `array['${values.join("','")}']`;
}

/** Composes SQL that selects from a list by a share from 0 to 1, the first ones more often than the last. */
function selectByShare(values: readonly string[], share: string): string {
  return `(${toSqlArray(values)})[1 + floor(${values.length} * ${share} ^ 1.5)::int]`;
}

/**
 * Composes SQL for names.
 * @param share SQL for a share from 0 to 1 by its kind
 */
export function namesSql(share: (kind: string) => string) {
  return {
    given: selectByShare(given, share('given')),
    surname: selectByShare(surnames, share('surname')),
    secondSurname: selectByShare(surnames, share('second')),
  };
}

/** Composes SQL for the form that searches use: a space before each word, without accents and case. */
export function searchName(names: readonly string[]): string {
  return `' ' || translate(lower(concat_ws(' ', ${names.join(', ')})), 'áéíóúñ', 'aeioun')`;
}
