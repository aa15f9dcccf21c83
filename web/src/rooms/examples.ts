// Rankings and organizations that papers print, and some to begin with, ready to open.

import type { State } from "../state";

export interface Example {
  name: string;
  about: string;
  state: Partial<State>;
}

/** The example that a state shows. */
export function exampleOf(state: State, examples: Example[]): Example | undefined {
  const keys = ["a", "b", "gold", "org", "finite"] as const;
  return examples.find((one) => keys.every((key) => one.state[key] === undefined || one.state[key] === state[key]));
}

export const RANKINGS: Example[] = [
  {
    name: "Moffat 2013, Table 1: variants of DCG",
    about: "B has one relevant document more, and yet SNDCG falls",
    state: { a: "10100+1", b: "10101+1", m: "SNDCG@5 DCG@5 SDCG@5 nDCG@5 SNAP@5 AP@5 P@5 RBP(p=0.8)", s: "SNDCG@5", grade: "", ties: "file" },
  },
  {
    name: "Early or many?",
    about: "A has its two relevant documents at the top, B has three further down",
    state: { a: "11000+1", b: "00111", m: "P@5 R@5 RR AP nDCG@5 SDCG@5 RBP(p=0.8) RBP(p=0.5) ERR INSQ", s: "RBP(p=0.8)", grade: "", ties: "file" },
  },
  {
    name: "Reading deeper can lower the score",
    about: "B is A with one more document, which is not relevant: precision falls, recall stays",
    state: { a: "110+1", b: "1100+1", m: "P@3 P@4 SetP SetF AP RBP(p=0.8) RR R@4", s: "SetP", grade: "", ties: "file" },
  },
  {
    name: "Unjudged documents leave a range",
    about: "Each ? could be anything: the bars show how far each score could move",
    state: { a: "1-10-0-1--", b: "0110100100", m: "P@10 AP nDCG@10 RBP(p=0.8) RR bpref ERR INST(T=2)", s: "RBP(p=0.8)", grade: "", ties: "file" },
  },
  {
    name: "Graded relevance",
    about: "A has one perfect document, B several good ones; gains decide",
    state: { a: "30010+1:3+1:2", b: "12210+1:3", m: "nDCG@5 nDCG(dcg=exp-log2)@5 ERR@5 RBP(p=0.8) AP P@5 Q", s: "ERR@5", grade: "3", ties: "file" },
  },
  {
    name: "Ties: an order that nobody chose",
    about: "Documents in brackets have equal scores; see what each order would give",
    state: { a: "[101]0[01]+1", b: "110001+1", m: "P@1 P@3 AP RR nDCG@5 RBP(p=0.8)", s: "AP", grade: "", ties: "range" },
  },
];

const GOLD = "d1 {d2 d3 d4} / {d4 d5} {d6 d7} / {d6 d7}";
const table9 = (name: string, about: string, org: string): Example => ({
  name: `Amigó et al. 2013, Table 9: ${name}`,
  about,
  state: { gold: GOLD, org, finite: "9" },
});

export const TABLE_9: Example[] = [
  table9("the gold standard itself", "All relations are kept: R and S are 1.", GOLD),
  table9("S1, the last cluster is broken", "Only relatedness suffers, and little, so far down: the paper prints S of relatedness as 0.97.", "d1 {d2 d3 d4} / {d4 d5} {d6 d7} / d6 d7"),
  table9("S2, a cluster at the top is broken", "The same higher up costs more: the paper prints S of relatedness as 0.8.", "d1 {d2 d3} d4 / {d4 d5} {d6 d7} / {d6 d7}"),
  table9("S3, a document is dropped", "What is left is right, so R is 1; the paper prints S as 0.86 (priority) and 0.74 (relatedness).", "d1 {d3 d4} / {d4 d5} {d6 d7} / {d6 d7}"),
  table9("S4, one dropped, one added", "The paper prints R as 0.95 and 0.96, S as 0.85 and 0.74 (priority, relatedness).", "d1 {d3 d4} / {d4 d5} {d6 d7} / {d6 d7 d8}"),
  table9("S5, all levels reversed", "Clusters are kept, the order is not: the paper prints R of priority as 0.64 and S as 0.59.", "{d6 d7} / {d4 d5} {d6 d7} / d1 {d2 d3 d4}"),
];

export const ORGANIZATIONS: Example[] = [
  ...TABLE_9,
  { name: "A clustering", about: "One level alone: R and S of relatedness are the precision and recall of BCubed.", state: { gold: "{a b c d} {e f g} {h i}", org: "{a b c} {d e f g} h i", finite: "1" } },
  { name: "A filtering", about: "What is kept stands above the bar: R and S are products of two precisions and of two recalls.", state: { gold: "{a b c d} | e f g h", org: "{a b e} | c d f g h", finite: "1" } },
];
