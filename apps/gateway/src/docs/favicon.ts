/** A stroke of a pen, in the colour of the pages. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3046c5"/><path d="M6 22c4-12 8-14 9-9s-5 9-2 9 4-8 7-8-1 7 2 7 3-3 4-4" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
