// Does a command fit one of the legal moves that the service offers? A command is accepted exactly when it does.
// The reference matcher for client authors: plain JavaScript, on the JSON of `legal_moves` and of a command.
// Test vectors: legal_move_vectors.json; `node legal_moves.js legal_move_vectors.json` checks them.
'use strict';

const isTaki = (card) => card.endsWith('taki');

function matches(legalMoves, command) {
  return legalMoves.some((move) => fits(move, command));
}

function fits(move, command) {
  if (move.type !== command.type) return false;
  if (move.type === 'play') return fitsPlay(move, command);
  if (move.type === 'catch') return move.target === command.target;
  return move.type === 'say_last' || Boolean(move.answer) || !command.answer;
}

function fitsPlay(move, command) {
  const [first, ...rest] = command.cards;
  const last = command.cards[command.cards.length - 1];
  const run = move.run;
  if (first !== move.card || (command.answer && !move.answer)) return false;
  if ((command.color != null) !== (last === 'change-color')) return false;
  const named = run && (move.needs || []).includes('run_color') ? run.color : null;
  if ((command.run_color ?? null) !== named) return false;
  if (!run) return rest.length === 0;
  return !(command.close && isTaki(last)) && fitsRun(run, rest);
}

function fitsRun(run, cards) {
  const rest = run.may_end_with.includes(cards[cards.length - 1]) ? cards.slice(0, -1) : cards;
  const stop = rest.findIndex((card) => !isTaki(card));
  const head = stop < 0 ? rest : rest.slice(0, stop);
  const turned = head.filter((card) => card !== 'super-taki').map((card) => card.split('-')[0]);
  if (turned.every((color) => color === run.color)) return between(rest, run.required, run.cards);
  // Only with the option taki_on_taki_in_run: other TAKIs right behind the first card turn the run to their color.
  const color = turned[turned.length - 1];
  return (run.turns_to || []).some((way) => way.color === color && between(rest, way.required, way.cards)
    && rest.slice(head.length).every((card) => card === 'super-taki' || card.startsWith(color)));
}

function between(cards, least, most) {
  const holds = (more, fewer) => fewer.every((card) => count(fewer, card) <= count(more, card));
  return holds(cards, least) && holds(most, cards);
}

const count = (cards, card) => cards.filter((other) => other === card).length;

module.exports = { matches, fits };

if (require.main === module) {
  const vectors = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8')).vectors;
  const wrong = vectors.filter((vector) => matches(vector.legal_moves, vector.command) !== vector.accepted);
  for (const vector of wrong) console.log('wrong:', JSON.stringify(vector));
  console.log(`${vectors.length - wrong.length} passed, ${wrong.length} failed`);
  process.exitCode = wrong.length ? 1 : 0;
}
