// Finds the graphs that the `pattern:` of ops stand for in models, and puts the ops in their place.
#ifndef OPKG_FUSING_H_
#define OPKG_FUSING_H_

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "openvino/core/graph_util.hpp"
#include "openvino/core/rt_info.hpp"
#include "openvino/op/constant.hpp"
#include "openvino/pass/backward_graph_rewrite.hpp"
#include "openvino/pass/manager.hpp"
#include "openvino/pass/matcher_pass.hpp"
#include "openvino/pass/pattern/matcher.hpp"
#include "openvino/pass/pattern/op/label.hpp"

namespace opkg {

/// A graph with one output: an input of the op, a number, one of several graphs, or a node of a type and what it reads.
struct Pattern {
  enum class Kind { kInput,
                    kNumber,
                    kEither,
                    kNode };

  Kind kind;
  size_t place = 0;
  double value = 0;
  std::string type;
  std::vector<Pattern> parts;
};

inline Pattern input(size_t place) { return {Pattern::Kind::kInput, place, 0, "", {}}; }
inline Pattern number(double value) { return {Pattern::Kind::kNumber, 0, value, "", {}}; }
inline Pattern either(std::vector<Pattern> graphs) { return {Pattern::Kind::kEither, 0, 0, "", std::move(graphs)}; }
inline Pattern node(std::string type, std::vector<Pattern> reads) {
  return {Pattern::Kind::kNode, 0, 0, std::move(type), std::move(reads)};
}

/// What a match found so far: the op's inputs, and the nodes inside, of which the first is the root.
struct Match {
  ov::OutputVector inputs;
  ov::NodeVector inside;
};
using Accept = std::function<bool(const Match&)>;

inline bool is_number(const ov::Output<ov::Node>& output, double value) {
  const auto* constant = dynamic_cast<const ov::op::v0::Constant*>(output.get_node());
  if (constant == nullptr || ov::shape_size(constant->get_shape()) != 1) return false;
  const ov::op::v0::Constant wanted(constant->get_element_type(), {}, std::vector<double>{value});
  return constant->cast_vector<double>() == wanted.cast_vector<double>();
}

inline bool commutes(const std::string& type) {
  return type == "Add" || type == "Multiply" || type == "Maximum" || type == "Minimum";
}

inline bool find_all(const ov::OutputVector& values, const Pattern& pattern, const Match& match, const Accept& accept);

/// Whether an output is what a pattern says in a way that is accepted; all ways are tried.
inline bool find(const ov::Output<ov::Node>& output, const Pattern& pattern, Match match, const Accept& accept) {
  switch (pattern.kind) {
    case Pattern::Kind::kInput:
      if (match.inputs[pattern.place].get_node() == nullptr) match.inputs[pattern.place] = output;
      return match.inputs[pattern.place] == output && accept(match);
    case Pattern::Kind::kNumber:
      return is_number(output, pattern.value) && accept(match);
    case Pattern::Kind::kEither:
      for (const Pattern& graph : pattern.parts) {
        if (find(output, graph, match, accept)) return true;
      }
      return false;
    default:
      break;
  }
  const auto node = output.get_node_shared_ptr();
  if (pattern.type != node->get_type_name() || pattern.parts.size() != node->get_input_size()) return false;
  match.inside.push_back(node);
  const ov::OutputVector values = node->input_values();
  if (find_all(values, pattern, match, accept)) return true;
  return commutes(pattern.type) && find_all({values.rbegin(), values.rend()}, pattern, match, accept);
}

inline bool find_from(size_t place, const ov::OutputVector& values, const Pattern& pattern, const Match& match,
                      const Accept& accept) {
  if (place == values.size()) return accept(match);
  return find(values[place], pattern.parts[place], match,
              [&](const Match& more) { return find_from(place + 1, values, pattern, more, accept); });
}

inline bool find_all(const ov::OutputVector& values, const Pattern& pattern, const Match& match, const Accept& accept) {
  return find_from(0, values, pattern, match, accept);
}

/// Whether nothing outside reads what is inside, the root's output apart.
inline bool is_closed(const ov::NodeVector& inside) {
  const std::set<std::shared_ptr<ov::Node>> nodes(inside.begin(), inside.end());
  for (const auto& node : nodes) {
    if (node == inside.front()) continue;
    for (const auto& output : node->outputs()) {
      for (const auto& reader : output.get_target_inputs()) {
        if (nodes.count(reader.get_node()->shared_from_this()) == 0) return false;
      }
    }
  }
  return true;
}

using Make = std::function<std::shared_ptr<ov::Node>(const ov::OutputVector&)>;

/// Replaces a node whose graph is the pattern. Calls that the op's rules refuse stay as they are.
inline bool replace(const std::shared_ptr<ov::Node>& root, const Pattern& pattern, size_t inputs, const Make& make) {
  if (root->get_output_size() != 1) return false;
  return find(root->output(0), pattern, {ov::OutputVector(inputs), {}}, [&](const Match& match) {
    if (!is_closed(match.inside)) return false;
    std::shared_ptr<ov::Node> made;
    try {
      made = make(match.inputs);
    } catch (const ov::Exception&) {
      return false;
    }
    made->set_friendly_name(root->get_friendly_name());
    ov::copy_runtime_info(match.inside, made);
    ov::replace_node(root, made);
    return true;
  });
}

/// A matcher for every node: which of them is a root, `replace` finds out.
inline std::shared_ptr<ov::pass::pattern::Matcher> any_node(const std::string& name) {
  return std::make_shared<ov::pass::pattern::Matcher>(std::make_shared<ov::pass::pattern::op::Label>(), name);
}

/// Runs a pass on a model, from its results to its inputs. True if the model was changed.
template <typename Pass>
bool run(const std::shared_ptr<ov::Model>& model) {
  ov::pass::BackwardGraphRewrite rewrite(std::make_shared<Pass>());
  return rewrite.run_on_model(model);
}

}  // namespace opkg

#endif  // OPKG_FUSING_H_
