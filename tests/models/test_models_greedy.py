"""The greedy partition: those of 400 random graphs as OpenVINO made them, and each rule on a small graph."""

from __future__ import annotations

from models_kit import acyclic, graphs, model_of, named, parts, small

from opkg.models.model import Model, links
from opkg.models.partition.greedy import Subgraph
from opkg.models.partition.order import visiting_order


def words(model: Model, most_tensors: int = 11) -> list[str]:
    return named(model, [part.nodes for part in parts(model, most_tensors)])


def test_400_random_graphs() -> None:
    assert len(graphs()) == 400
    for graph in graphs():
        model = model_of(graph)
        found = parts(model)
        got = sorted(
            [sorted(named(model, [[number] for number in part.nodes])), len(part.inputs), len(part.outputs)]
            for part in found
        )
        assert got == sorted([sorted(ops), ins, outs] for ops, ins, outs in graph["subgraphs"]), graph["id"]
        assert acyclic(model, links(model), [part.nodes for part in found]), graph["id"]


def test_the_order_of_visits() -> None:
    for graph in graphs():
        model = model_of(graph)
        order = [model.nodes[at].name if isinstance(at, int) else at for at in visiting_order(model, links(model))]
        results = {f"res{number}" for number in range(len(graph["results"]))}
        assert order == [name for name in graph["order"] if name not in results], graph["id"]


def test_a_chain_is_one_subgraph_with_constants_inside() -> None:
    model = small("a=x b=a,TWO c=b,y d=c,WIDE -> d", shapes={"WIDE": (8, 16)})
    assert parts(model) == (Subgraph((0, 1, 2, 3), ("x", "y", "WIDE"), ("d",)),)


def test_a_tensor_read_twice_stands_twice() -> None:
    (part,) = parts(small("a=x,x -> a"))
    assert part.inputs == ("x", "x")


def test_an_op_that_does_not_fit_ends_a_subgraph() -> None:
    assert words(small("a=x p=a b=p c=b -> c", outside="p")) == ["a", "b c"]


def test_a_path_out_and_back_is_no_subgraph() -> None:
    assert words(small("a=x p=a b=a,p -> b", outside="p")) == ["a", "b"]


def test_numbers_refuse_what_paths_would_allow() -> None:
    model = small("a=x p=a b=y c=b,a -> c p", outside="p")  # p is visited between a and c
    assert sorted(words(model)) == ["a", "b c"]


def test_several_results_of_a_node_are_tensors_of_their_own() -> None:
    model = small("s+t=x a=s b=t c=a,b -> c", outside="s+t")
    (part,) = parts(model)
    assert (named(model, [part.nodes]), part.inputs) == (["a b c"], ("s", "t"))


def test_results_of_two_parts_stay_apart() -> None:
    assert sorted(words(small("a=x b=a,y -> a b"))) == ["a", "b"]
    assert sorted(words(small("a=x b=a c=b -> c b"))) == ["a b", "c"]


def test_too_many_tensors() -> None:
    chain = small("a=x0,x1 b=a,x2 c=b,x3 d=c,x4 -> d")
    assert words(chain) == ["a b c d"]
    assert words(chain, 5) == ["a b c", "d"]


def test_results_that_do_not_broadcast() -> None:
    text = "a=x b=a p=a -> b p"
    assert words(small(text, outside="p")) == ["a b"]
    assert words(small(text, outside="p", shapes={"a": (2, 3), "b": (5, 3)})) == ["a", "b"]


def test_nothing_to_do() -> None:
    assert parts(Model("empty", (), (), (), {})) == ()
    assert parts(small("a=x -> a", outside="a")) == ()
