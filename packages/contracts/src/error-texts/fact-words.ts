/** Words among facts that are English: kinds of files, and what a PDF must not hold. */
const words: readonly (readonly [en: string, es: string])[] = [
  ['a JPEG or PNG image', 'una imagen JPEG o PNG'],
  ['an MP4, MOV or WebM video', 'un video MP4, MOV o WebM'],
  ['a PDF', 'un PDF'],
  ['a script or media', 'un script o multimedia'],
  ['a script', 'un script'],
  ['an action that starts a program', 'una acción que inicia un programa'],
  ['actions that start by themselves', 'acciones que se inician solas'],
  ['an embedded file', 'un archivo incrustado'],
  ['embedded media', 'multimedia incrustada'],
  ['a dynamic form', 'un formulario dinámico'],
];

function phrase(text: string): string | undefined {
  return words.find(([en]) => en === text)?.[1];
}

function either(text: string): string {
  return text.replaceAll(' or ', ' o ');
}

/** `a JPEG or PNG image or a PDF`: an "or" before an article divides, one within a kind does not. */
function kinds(text: string): string | undefined {
  const said = text.split(/ or (?=an? )/).map(phrase);
  return said.includes(undefined) ? undefined : said.join(' o ');
}

/** By the name of the fact; undefined where it is none of the words. Facts of other names stay as they are. */
export const factsInSpanish: Readonly<Record<string, (fact: string) => string | undefined>> = {
  choices: either,
  kinds,
  content: phrase,
};
