// How results of the search are ranked: Sphinx's own numbers, but pages for users come before those that record
// how Colligate was made. A record of a decision has the words of a question in its title and answers it last.
var Scorer = {
  score: (result) => {
    const [docname, , , , score] = result;
    if (/^(decisions|papers)\/|^(changelog|contributing|release|licences)$/.test(docname)) return score - 100;
    if (/^(howto\/|tutorial$|questions$|glossary$)/.test(docname)) return score + 6;
    return /^(methods\/|papers$|evaluation$|speed$|architecture$)/.test(docname) ? score - 6 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
