"""Canvas and labels of all figures; independent of trees and charts."""
